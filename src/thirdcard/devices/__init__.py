"""Sources of cards: the virtual shoe and its shuffle; the lines, exchange and simulator of a card reader."""
