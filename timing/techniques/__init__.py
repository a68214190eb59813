"""Published techniques, one file each; a technique fills some of the hook points."""
