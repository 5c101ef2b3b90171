"""The archive of a journal: volumes with the records of past days, and the store that reads them."""
