import { getPage, startPasskey } from './addPasskey.ts'
import type { AuthClient } from './authClient.ts'
import type { AuthServer } from './startAuthServer.ts'
import { createVirtualPasskey } from './virtualPasskey.ts'

type Started = Pick<AuthServer, 'server' | 'time'>

/** A passkey in software for the frame of a server. */
export const makePasskey = ({ server }: Pick<Started, 'server'>) =>
  createVirtualPasskey(new URL(server.frameUrl).hostname)

/** Begins an account with a new passkey alone, and signs the client in to it. */
export async function beginAccount(started: Started, client: AuthClient) {
  const passkey = makePasskey(started)
  const { body, text } = await startPasskey(started, client, { purpose: 'account' })
  const { challenge, userHandle } = body
  if (challenge === undefined) throw new Error(text)
  const answer = passkey.register({ challenge, ...getPage(started) })
  const reply = await client.ask('/api/passkeys/account', { challenge, passkey: answer })
  if (reply.status !== 200) throw new Error(reply.text)
  client.state.tokens = reply.body
  return { passkey, userHandle: userHandle as string }
}
