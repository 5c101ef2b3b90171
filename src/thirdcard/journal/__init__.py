"""The record of everything accepted: appended, chained, signed, never altered."""
