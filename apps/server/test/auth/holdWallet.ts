import { randomBytes } from 'node:crypto'
import type { AuthClient } from './authClient.ts'
import type { AuthServer } from './startAuthServer.ts'

const hex = (bytes: number) => randomBytes(bytes).toString('hex')

/**
 * As if this browser held the wallet of its user, who gets a new wallet if necessary. Returns the
 * id of the wallet.
 */
export async function holdWallet(
  { server, time }: Pick<AuthServer, 'server' | 'time'>,
  client: AuthClient,
): Promise<string> {
  const { db } = server.services
  const { userId = '', deviceId = '' } = client.state.tokens ?? {}
  const now = new Date(time.nowMs)
  const found = await db
    .selectFrom('wallets')
    .select('id')
    .where('user_id', '=', userId)
    .executeTakeFirst()
  const id = found?.id ?? hex(16)
  if (!found)
    await db
      .insertInto('wallets')
      .values({
        id,
        user_id: userId,
        realm: 'latchkey',
        epoch: 1,
        eip155: `0x${hex(20)}`,
        solana: hex(16),
        recovery_key: '',
        manifest: '',
        manifest_signature: '',
        manifest_version: 1,
        sealed_seed: '{}',
        created_at: now,
      })
      .execute()
  await db
    .insertInto('wallet_slots')
    .values({
      wallet_id: id,
      slot: deviceId,
      change_id: hex(16),
      epoch: 1,
      share_sealed: randomBytes(1),
      sealed_recovery: '{}',
      sealed_device: null,
      device_key: null,
      created_at: now,
      used_at: now,
    })
    .execute()
  return id
}
