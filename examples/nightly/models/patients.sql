-- Stage: what of tonight's table is fit to be looked at.
select age, zip, diagnosis
from read_csv('{{ var("patients") }}', types = {'zip': 'text'})
