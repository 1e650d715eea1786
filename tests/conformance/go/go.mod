module cuckoofilter

go 1.19
