"""Running shader IR over many invocations at once."""
