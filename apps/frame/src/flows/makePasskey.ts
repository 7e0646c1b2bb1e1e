import { isError, listPasskeysRoute, registerPasskeyRoute, startPasskeyRoute } from '@latchkey/wire'
import type { LoginSession } from '../auth/loginSession.ts'
import type { PasskeySecret } from '../passkey.ts'
import type { Passkeys } from '../passkeysHere.ts'

/** The project that a passkey is used for, and the origin of the page around the frame. */
export type PasskeyOrigin = { readonly projectId: string; readonly origin: string }
type StartedRegistration = Awaited<ReturnType<typeof startRegistration>>

/** Begins to register a passkey. Throws STEP_UP_NEEDED. */
export const startRegistration = (session: LoginSession, place: PasskeyOrigin) =>
  session.call(startPasskeyRoute, { purpose: 'register', ...place })

/** Reads the name for a passkey of the signed-in user. */
async function readName(session: LoginSession): Promise<string> {
  const user = await session.read()
  return user?.email ?? user?.userName ?? 'Latchkey'
}

/**
 * Creates a passkey and has the server store its public key, so that it also signs in and confirms.
 * If the server does not accept it, it still recovers the wallet. Throws STEP_UP_NEEDED, and the
 * errors of `passkeys`.
 */
export async function makePasskey(
  session: LoginSession,
  place: PasskeyOrigin,
  passkeys: Passkeys,
): Promise<PasskeySecret> {
  const { origin = place.origin } = passkeys
  const started = await startRegistration(session, { ...place, origin })
  return finishRegistration(session, started, passkeys)
}

/** Creates the passkey of a registration. Throws the errors of `passkeys`. */
export async function finishRegistration(
  session: LoginSession,
  started: StartedRegistration,
  passkeys: Passkeys,
): Promise<PasskeySecret> {
  const { challenge, credentialIds, userHandle = '' } = started
  const name = await readName(session)
  const { secret, passkey } = await passkeys.create({
    name,
    challenge,
    userHandle,
    credentialIds,
  })
  try {
    await session.call(registerPasskeyRoute, { challenge, passkey })
  } catch (error) {
    if (!isError(error, 'PASSKEY_REFUSED')) throw error
  }
  return { ...secret, label: describeNow() }
}

/** Reads the id of the passkey that began the account, if it does not recover the wallet yet. */
export const readFirstPasskey = async (session: LoginSession): Promise<string | undefined> =>
  (await session.call(listPasskeysRoute, {})).first

/** The passkey that began the account, and its labels as a choice of recovery. */
export type OfferedPasskey = {
  readonly id: string
  readonly label: string
  readonly hint: string
  /** While the browser prompts. */
  readonly asking: string
}

/** Reads the passkey that began the account as a choice of recovery. Its labels load if needed. */
export async function offerFirstPasskey(
  session: LoginSession,
): Promise<OfferedPasskey | undefined> {
  const id = await readFirstPasskey(session)
  if (id === undefined) return undefined
  const { passkey: t } = await import('../locales/passkey.en.ts')
  return { id, label: t.use, hint: t.firstHint, asking: t.firstAsking }
}

/** Uses the passkey that began the account for recovery. Throws the errors of `passkeys`. */
export const proveFirstPasskey = async (
  passkeys: Passkeys,
  credentialId: string,
): Promise<PasskeySecret> => ({ ...(await passkeys.prove(credentialId)), label: describeNow() })

/** Formats the current time, which tells passkeys apart. */
export const describeNow = () =>
  new Date().toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' })
