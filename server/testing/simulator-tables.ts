/** Tables of the simulators' data, which belongs to no account and has its own ids. */
export const simulatorTables = ['simulator_items', 'shared_documents', 'payment_account'];
