"""Reports of what tables did in a time: by gaming day, by shift and by table."""
