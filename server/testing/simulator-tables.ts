/** Tables in which the simulators of mail, texts and payments keep what the world outside would: for everybody together, and with ids of their own. */
export const simulatorTables = ['kept_items', 'shared_documents', 'payment_account'];
