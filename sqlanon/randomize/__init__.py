"""What randomized releases tell, and how they are made."""
