import type { NewPasskey } from '@latchkey/wire'
import {
  type CreationParameters,
  type FirstCreation,
  getPasskey,
  type PasskeySecret,
  signWithPasskey,
} from './passkey.ts'

/** The uses of passkeys, in this document or in another of the same origin. */
export type Passkeys = {
  readonly create: (
    creating: CreationParameters,
  ) => Promise<{ secret: PasskeySecret; passkey: NewPasskey }>
  /** Creates the passkey of a new account, which may have no secret. */
  readonly begin: (
    creating: FirstCreation,
  ) => Promise<{ secret?: PasskeySecret | undefined; passkey: NewPasskey }>
  /** Uses a passkey until it has given the same secret twice. */
  readonly prove: (credentialId: string) => Promise<PasskeySecret>
  readonly open: typeof getPasskey
  readonly sign: typeof signWithPasskey
  /**
   * The origin that the server checks the answer against, if it differs from the origin of the page
   * around the frame.
   */
  readonly origin?: string
}

/** The passkeys of this document. */
export const passkeysHere: Passkeys = {
  create: async (creating) => (await import('./createPasskey.ts')).createPasskey(creating),
  begin: async (creating) => (await import('./createPasskey.ts')).createFirstPasskey(creating),
  prove: async (id) => (await import('./createPasskey.ts')).provePasskey(id),
  open: getPasskey,
  sign: signWithPasskey,
}
