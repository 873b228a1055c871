"""Faults, injected at random points of real work; afterwards nothing may be lost, doubled or broken."""
