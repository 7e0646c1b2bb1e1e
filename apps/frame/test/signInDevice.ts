import type { Inbox } from '@latchkey/dev'
import type { StepUpAction } from '@latchkey/wire'
import { createMemoryStore } from '../src/wallet/keyStore.ts'
import { browserLock } from '../src/wallet/vault.ts'
import type { VaultCall } from '../src/wallet/vaultServer.ts'
import { deserializeError } from '../src/wallet/worker/serializeError.ts'
import { createSpeaker, makeSigner, type Proving } from './addDevice.ts'
import type { VaultServer } from './startVault.ts'

type MailSession = {
  readonly server: VaultServer
  readonly inbox: Inbox
  readonly email: string
  /** The key of a browser that signs in again. */
  readonly signer?: Proving
  /** Instead of the one in the mail. */
  readonly code?: string
}

/** A browser that has signed in by email, from the first call to its tokens. */
export async function signInDevice({ server, inbox, email, ...given }: MailSession) {
  const signer = given.signer ?? (await makeSigner())
  const url = () => server.url
  const anonymous = createSpeaker({ url, signer, token: undefined })
  const textOf = () => inbox.mails.find(({ to }) => to.includes(email))?.text ?? ''
  const codeOf = () => /^ {4}(\d{6})$/m.exec(textOf())?.[1]
  const origin = server.appUrl
  const asked = await anonymous('/api/login', { email, projectId: 'local', origin })
  if (asked.status !== 200) throw new Error(JSON.stringify(asked.json))
  const begun = asked.json
  const secret = /#([\w-]{22})$/m.exec(textOf())?.[1]
  await anonymous('/api/device-link/approve', { secret, matchCode: begun.matchCode })
  const signedIn = await anonymous('/api/login/verify', {
    tx: begun.tx,
    code: given.code ?? codeOf(),
  })
  if (signedIn.status !== 200) throw new Error(JSON.stringify(signedIn.json))
  const { accessToken, userId, deviceId } = signedIn.json as Record<string, string>
  const speaker = createSpeaker({ url, signer, token: accessToken })
  const call: VaultCall = async (path, body) => {
    const { status, json } = await speaker(path, body)
    if (status !== 200) throw deserializeError(json as Parameters<typeof deserializeError>[0])
    return json
  }
  /**
   * A code of another purpose than the login's; gives the device with the tokens that come with it.
   */
  const confirm = async (
    purpose: 'step-up' | 'recovery',
    action?: StepUpAction,
    from = speaker,
  ) => {
    const start = { projectId: 'local', origin, purpose, action }
    const asked = (await from('/api/login', start)).json
    const done = await from('/api/login/verify', { tx: asked.tx, code: codeOf() })
    if (done.status !== 200) throw new Error(JSON.stringify(done.json))
    const { accessToken: fresh } = done.json as Record<string, string>
    const next = createSpeaker({ url, signer, token: fresh })
    const callNext: VaultCall = async (path, body) => {
      const { status, json } = await next(path, body)
      if (status !== 200) throw deserializeError(json as Parameters<typeof deserializeError>[0])
      return json
    }
    return { ...device, call: callNext, ask: next }
  }
  const device = {
    userId: userId ?? '',
    deviceId: deviceId ?? '',
    store: createMemoryStore(),
    lock: browserLock(undefined),
    call,
    ask: speaker,
    /** The same browser without its session. */
    prove: anonymous,
    signer,
  }
  return { ...device, confirm }
}
