import { afterEach, expect, test, vi } from 'vitest'
import { preparePasskeyOffer } from './preparePasskeyOffer.ts'

afterEach(() => vi.unstubAllGlobals())

const bytes = new Uint8Array(16).buffer

/** What is done for the page after the user has chosen a passkey in the field, in a browser with `more` in its window. */
async function choosePasskey(more: object): Promise<string[]> {
  class Credential {
    static isConditionalMediationAvailable = async () => true
    rawId = bytes
    response = {
      clientDataJSON: bytes,
      // Byte 32 says that the user was verified.
      authenticatorData: Uint8Array.from({ length: 37 }, () => 0xff).buffer,
      signature: bytes,
      userHandle: null,
    }
    getClientExtensionResults = () => ({})
  }
  vi.stubGlobal('PublicKeyCredential', Credential)
  vi.stubGlobal('navigator', { credentials: { get: async () => new Credential() } })
  const location = { hostname: 'frame.example' }
  vi.stubGlobal('window', {
    isSecureContext: true,
    location,
    PublicKeyCredential: Credential,
    ...more,
  })
  const done: string[] = []
  const note = (what: string) => async () => {
    done.push(what)
  }
  const session = {
    call: async () => ({ challenge: 'AAAA' }),
    saveTokens: note('signed in'),
  }
  const context = { session, keys: { close: () => {} }, facts: { projectId: 'local' } }
  const offer = await preparePasskeyOffer(context as never, {
    origin: 'https://shop.example',
    bind: note('bound'),
    share: note('shared'),
  })
  const signIn = await offer?.offer(new AbortController().signal)
  await signIn?.()
  return done
}

test('default: a passkey chosen in the field of the code signs in, and shows the page what the text said', async () => {
  const entry = { prototype: { isVisible: true } }
  expect(await choosePasskey({ IntersectionObserverEntry: entry })).toEqual(['signed in', 'shared'])
})

test('row 31: where the browser does not vouch that the text was seen, the page is shown nothing yet', async () => {
  const entry = { prototype: {} }
  expect(await choosePasskey({ IntersectionObserverEntry: entry })).toEqual(['signed in', 'bound'])
})
