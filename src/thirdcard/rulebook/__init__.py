"""The rule documents as data: their form, the reader that refuses bad ones, and what can be asked of them."""
