"""The screens of the table: the dealer's, the supervisor's and the technician's page."""
