"""Everything that a server and its clients exchange: paths, forms, answers, frames, receipts and refusals."""
