"""How long tests wait for what should come soon."""

# real seconds, after which nothing comes any more: no test takes a tenth of it, on a busy machine either
LONG_ENOUGH = 300.0
