"""Functional cases of dEQP that were captured on Mesa, with all of Mesa's answers."""
