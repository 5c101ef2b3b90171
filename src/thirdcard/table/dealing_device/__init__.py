"""What cards come from: typed by a person, sent by a card reader, or dealt from a virtual shoe."""
