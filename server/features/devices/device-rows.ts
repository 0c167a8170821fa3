import type { DeviceRows } from '../../ports.ts';

/** What other features read and lock of devices. */
export const deviceRows: DeviceRows = {
  lockDevice: (trx, uuid) => trx.selectFrom('devices').select('uuid').where('uuid', '=', uuid).forUpdate().execute(),

  lockDevices: (trx, account) =>
    trx.selectFrom('devices').select('uuid').where('account', '=', account).orderBy('uuid').forUpdate().execute(),

  async deviceWords(connection, account, uuid) {
    const rows = connection.selectFrom('devices').select(['person', 'info']).where('account', '=', account);
    const row = await (uuid ? rows.where('uuid', '=', uuid) : rows.orderBy('last_seen', 'desc')).limit(1).executeTakeFirst();
    return { person: uuid ? (row?.person ?? null) : null, time_zone: row?.info?.time_zone ?? 'UTC' };
  },
};
