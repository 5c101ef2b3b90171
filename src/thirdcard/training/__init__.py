"""Training: drills that are round files with gaps, played with a trainee and graded by clause."""
