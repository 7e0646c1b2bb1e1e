import { type ChainId, LatchkeyError, parseChainId } from '@latchkey/wire'
import type { App } from '../app.ts'
import { getPageLocation } from './pageLocation.ts'
import type { SiweConfig } from './siweConfig.ts'
import type { Siwx, UsedSiwx } from './siwx.ts'

/**
 * Signs in through an app's `siweConfig`. Its backend keeps a single session, for a single account.
 */
export function fromSiweConfig(app: App, siwe: SiweConfig): UsedSiwx {
  const toNumber = (chainId: ChainId) => Number(parseChainId(chainId).reference)
  let leaving: Promise<void> | undefined
  /** If several networks are left at once, the backend gets a single sign-out. */
  const signOut = () => {
    leaving ??= leave().finally(() => {
      leaving = undefined
    })
    return leaving
  }
  const leave = async () => {
    await siwe.signOut()
    siwe.onSignOut?.()
  }
  const addSession: Siwx['addSession'] = async ({ message, signature, data }) => {
    if (!(await siwe.verifyMessage({ message, signature })))
      throw new LatchkeyError('SIGNATURE_DECLINED')
    siwe.onSignIn?.({ address: data.accountAddress, chainId: toNumber(data.chainId) })
  }
  return {
    addSession,
    async createMessage({ accountAddress, chainId }) {
      const nonce = await siwe.getNonce(accountAddress)
      const parameters = { ...getPageLocation(app), ...(await siwe.getMessageParams?.()) }
      const issuedAt = new Date(app.environment.now()).toISOString()
      const data = {
        accountAddress,
        chainId,
        nonce,
        issuedAt,
        version: '1',
        ...parameters,
      } as const
      const text = siwe.createMessage({
        ...parameters,
        address: accountAddress,
        chainId: toNumber(chainId),
        nonce,
        version: '1',
        iat: issuedAt,
      })
      return { ...data, toString: () => text }
    },
    async getSessions(chainId, accountAddress) {
      const session = await siwe.getSession()
      if (session?.address.toLowerCase() !== accountAddress.toLowerCase()) return []
      if (siwe.signOutOnNetworkChange && session.chainId !== toNumber(chainId)) return []
      // Only the account of the session is known here.
      const data = { accountAddress, chainId, version: '1', nonce: '', issuedAt: '' } as const
      return [{ data: { ...data, ...getPageLocation(app) }, message: '', signature: '' }]
    },
    revokeSession: signOut,
  }
}
