-- Finds the products with a whole barcode. In the other index, on parts of barcodes, all products of a chain whose
-- barcodes begin with the same digits resemble each other.
create index products_by_barcode on products using gin (chain_id, barcodes);
