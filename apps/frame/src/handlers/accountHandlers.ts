import { type FrameProtocol, type Handlers, LatchkeyError } from '@latchkey/wire'
import { hostChainId } from '../chains.ts'
import type { ScreenQueue } from '../screens/screenQueue.ts'
import type { Account } from './createAccount.ts'

type Answers = Pick<
  Handlers<FrameProtocol>,
  | 'APP_GET_USER'
  | 'APP_GET_CHAIN_ID'
  | 'APP_SWITCH_NETWORK'
  | 'APP_SET_PREFERRED_ACCOUNT'
  | 'APP_GET_SMART_ACCOUNT_ENABLED_NETWORKS'
>

/** Shows the page at `origin` who is signed in and on which network, once the user has agreed. */
export const accountHandlers = (
  screenQueue: ScreenQueue,
  account: Account,
  origin: string,
): Answers => ({
  APP_GET_USER: ({ chainId }, { signal }) =>
    screenQueue.during(async () => {
      await account.bindUser()
      const chain = account.getChain(chainId)
      if (!(await account.hasConsent())) {
        const { showConsent } = await import('../flows/showConsent.ts')
        const hasEmail = (await account.requireUser()).email !== null
        await showConsent(screenQueue, { origin, hasEmail, signal })
        await account.grantConsent()
      }
      const addresses = await account.getAddresses(signal)
      const { email, userName = null } = await account.requireUser()
      account.setChain(chain)
      const address = addresses[chain.namespace]
      return {
        email,
        userName,
        address,
        chainId: hostChainId(chain),
        accounts: [{ address, type: 'eoa' }],
        smartAccountDeployed: false,
        preferredAccountType: 'eoa',
      }
    }),
  APP_GET_CHAIN_ID: async () => ({ chainId: hostChainId(account.getChain(undefined)) }),
  APP_SWITCH_NETWORK: async ({ chainId }) => {
    const chain = account.getChain(chainId)
    account.setChain(chain)
    return { chainId: hostChainId(chain) }
  },
  APP_SET_PREFERRED_ACCOUNT: async (_, { signal }) => {
    const addresses = await account.getSharedAddresses(signal)
    if (!addresses) throw new LatchkeyError('UNAUTHORIZED')
    return { type: 'eoa', address: addresses[account.getChain(undefined).namespace] }
  },
  APP_GET_SMART_ACCOUNT_ENABLED_NETWORKS: () => ({ smartAccountEnabledNetworks: [] }),
})
