"""The numbered shapes that records were stored in, and the steps from one to the next."""
