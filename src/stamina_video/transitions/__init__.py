"""Features in, accepted changes out: pooling, identities, event slots, edge scores, path sums."""
