import { randomBytes } from 'node:crypto'
import type { AuthClient } from './authClient.ts'
import type { AuthServer } from './startAuthServer.ts'
import { createVirtualPasskey } from './virtualPasskey.ts'

type Started = Pick<AuthServer, 'server' | 'time'>

/** The client data of a passkey for the frame in a page. */
export const getPage = ({ server }: Started) => ({
  origin: server.frameUrl,
  topOrigin: server.url,
})

export const startPasskey = (
  { server }: Started,
  client: AuthClient,
  body: { readonly purpose: string; readonly action?: string },
) => client.ask('/api/passkeys/start', { projectId: 'local', origin: server.url, ...body })

/** Registers a passkey. If the user has a wallet, the caller must have confirmed that before. */
export async function registerPasskey(started: Started, client: AuthClient) {
  const passkey = createVirtualPasskey(new URL(started.server.frameUrl).hostname)
  const { body, text } = await startPasskey(started, client, { purpose: 'register' })
  const { challenge, userHandle } = body
  if (challenge === undefined) throw new Error(text)
  const answer = passkey.register({ challenge, ...getPage(started) })
  const registered = await client.ask('/api/passkeys/register', { challenge, passkey: answer })
  if (registered.status !== 200) throw new Error(registered.text)
  return { passkey, userHandle: userHandle as string }
}

/**
 * As if the frame had made the passkey a way to recover this wallet. Returns the id of the factor.
 */
export async function addPasskeyFactor(
  { server, time }: Started,
  { walletId, credentialId }: { readonly walletId: string; readonly credentialId: string },
): Promise<string> {
  const id = randomBytes(16).toString('hex')
  await server.services.db
    .insertInto('recovery_factors')
    .values({
      id,
      wallet_id: walletId,
      kind: 'passkey',
      wrap: '{}',
      label: null,
      credential_id: credentialId,
      operator_sealed: null,
      operator_key_wrapped: null,
      created_at: new Date(time.nowMs),
    })
    .execute()
  return id
}
