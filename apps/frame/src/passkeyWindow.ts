import {
  type Handlers,
  LatchkeyError,
  listenChannel,
  newPasskey,
  openChannel,
  type Protocol,
  passkeyAnswer,
} from '@latchkey/wire'
import * as z from 'zod/mini'
import { getThemeQuery } from './pages/windowTheme.ts'
import type { CreationParameters } from './passkey.ts'
import { type Passkeys, passkeysHere } from './passkeysHere.ts'

const features = 'popup,width=420,height=560'

const about = z.object({
  /** The purpose of the passkey. */
  text: z.string(),
  target: z.optional(z.string()),
})
/** The purpose that the window shows to the user. */
export type PasskeyWindowPurpose = z.infer<typeof about>

const secret = z.object({
  kind: z.literal('passkey'),
  prf: z.string(),
  credentialId: z.string(),
})
const credentialIds = z.array(z.string())

const creating = z.object({
  name: z.string(),
  challenge: z.string(),
  userHandle: z.string(),
  credentialIds,
})
const firstCreation = z.object({ ...creating.shape, isProven: z.boolean() })

/**
 * The requests of a frame that may not use passkeys to its window. Both have the same origin; the
 * window refuses every other opener.
 */
const passkeyProtocol = {
  requests: {
    CREATE_PASSKEY: {
      params: z.object({ about, creating }),
      result: z.object({ secret, passkey: newPasskey }),
    },
    BEGIN_ACCOUNT: {
      params: z.object({ about, creating: firstCreation }),
      result: z.object({ secret: z.optional(secret), passkey: newPasskey }),
    },
    PROVE_PASSKEY: { params: z.object({ about, credentialId: z.string() }), result: secret },
    OPEN_WALLET: { params: z.object({ about, credentialIds }), result: secret },
    SIGN_CHALLENGE: {
      params: z.object({ about, challenge: z.string(), credentialIds }),
      result: z.object({ answer: passkeyAnswer, secret: z.optional(secret) }),
    },
  },
  events: {},
} as const satisfies Protocol

/**
 * Opens a window of the frame's site that uses passkeys for this frame; call it in a press. Its
 * functions throw CHANNEL_CLOSED if the user closes the window, and USER_REJECTED, with a cause
 * named `WindowShut`, if no window opens.
 */
export function openPasskeyWindow(about: PasskeyWindowPurpose): Passkeys & { close(): void } {
  const { origin } = window.location
  const target = window.open(`/passkey${getThemeQuery(document)}`, '_blank', features)
  const opened = target
    ? openChannel({ window, target, targetOrigin: origin, protocol: passkeyProtocol })
    : Promise.reject(
        new LatchkeyError('USER_REJECTED', { cause: new DOMException('', 'WindowShut') }),
      )
  opened.catch(() => {})
  const forever = { timeoutMs: null }
  const toParams = <Creating extends CreationParameters>(creating: Creating) => ({
    about,
    creating: { ...creating, credentialIds: [...creating.credentialIds] },
  })
  return {
    origin,
    create: async (creating) =>
      (await opened).request('CREATE_PASSKEY', toParams(creating), forever),
    begin: async (creating) => (await opened).request('BEGIN_ACCOUNT', toParams(creating), forever),
    prove: async (credentialId) =>
      (await opened).request('PROVE_PASSKEY', { about, credentialId }, forever),
    open: async (ids) =>
      (await opened).request('OPEN_WALLET', { about, credentialIds: [...ids] }, forever),
    sign: async ({ challenge, credentialIds }) => {
      const { answer, secret } = await (await opened).request(
        'SIGN_CHALLENGE',
        { about, challenge, credentialIds: [...credentialIds] },
        forever,
      )
      return { answer, secret }
    },
    close: () => target?.close(),
  }
}

type Answers = Handlers<typeof passkeyProtocol>
type WaitForPress = <Result>(
  about: PasskeyWindowPurpose,
  use: () => Promise<Result>,
) => Promise<Result>

/**
 * Answers the frame that opened this window, if it has our own origin; `ask` waits for the press.
 * Returns a function that ends it.
 */
export function servePasskeys(opener: Window, ask: WaitForPress): () => void {
  const { origin } = window.location
  const create: Answers['CREATE_PASSKEY'] = ({ about, creating }) =>
    ask(about, () => passkeysHere.create(creating))
  const begin: Answers['BEGIN_ACCOUNT'] = ({ about, creating }) =>
    ask(about, () => passkeysHere.begin(creating))
  const prove: Answers['PROVE_PASSKEY'] = ({ about, credentialId }) =>
    ask(about, () => passkeysHere.prove(credentialId))
  const open: Answers['OPEN_WALLET'] = ({ about, credentialIds }) =>
    ask(about, () => passkeysHere.open(credentialIds))
  const sign: Answers['SIGN_CHALLENGE'] = ({ about, ...using }) =>
    ask(about, () => passkeysHere.sign(using))
  return listenChannel({
    window,
    peer: opener,
    peerOrigin: origin,
    allowedOrigin: (other) => other === origin,
    protocol: passkeyProtocol,
    onConnect: () => ({
      CREATE_PASSKEY: create,
      BEGIN_ACCOUNT: begin,
      PROVE_PASSKEY: prove,
      OPEN_WALLET: open,
      SIGN_CHALLENGE: sign,
    }),
  })
}
