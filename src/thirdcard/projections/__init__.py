"""What screens show: pure functions from what happened to what is drawn, always computed from scratch."""
