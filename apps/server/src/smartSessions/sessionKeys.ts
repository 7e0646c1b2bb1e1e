import type { ListKeys } from '../vault/keys/rewrapKeys.ts'

/**
 * The key contexts for a session, and for the sessions of a day. `use` separates them from all
 * other keys under this purpose.
 */
export const sessionContext = (pci: string) =>
  ({ purpose: 'auth-share', use: `session ${pci}` }) as const
export const rootContext = (day: number) =>
  ({ purpose: 'auth-share', use: `session root ${day}` }) as const

/** The wrapped keys of this area: the keys of stored sessions, and the secrets of the last days. */
export const listSessionKeys: ListKeys = async (db) => {
  const sessions = await db
    .selectFrom('permission_sessions')
    .select(['pci', 'key_wrapped'])
    .execute()
  const roots = await db.selectFrom('permission_roots').selectAll().execute()
  return [
    ...sessions.map(({ pci, key_wrapped }) => ({
      name: `session ${pci}`,
      wrapped: key_wrapped,
      context: sessionContext(pci),
      replace: (fresh: { readonly wrapped: Uint8Array }) =>
        db
          .updateTable('permission_sessions')
          .set({ key_wrapped: fresh.wrapped })
          .where('pci', '=', pci)
          .where('key_wrapped', '=', key_wrapped)
          .execute(),
    })),
    ...roots.map(({ day, wrapped }) => ({
      name: `session root ${day}`,
      wrapped,
      context: rootContext(day),
      replace: (fresh: { readonly wrapped: Uint8Array }) =>
        db
          .updateTable('permission_roots')
          .set({ wrapped: fresh.wrapped })
          .where('day', '=', day)
          .where('wrapped', '=', wrapped)
          .execute(),
    })),
  ]
}
