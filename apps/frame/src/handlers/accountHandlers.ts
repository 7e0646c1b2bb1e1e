import { type FrameProtocol, type Handlers, LatchkeyError } from '@latchkey/wire'
import { hostChainId } from '../chains.ts'
import type { Stage } from '../screens/screenQueue.ts'
import type { Account } from './createAccount.ts'

type Answers = Pick<
  Handlers<FrameProtocol>,
  | 'APP_GET_USER'
  | 'APP_GET_CHAIN_ID'
  | 'APP_SWITCH_NETWORK'
  | 'APP_SET_PREFERRED_ACCOUNT'
  | 'APP_GET_SMART_ACCOUNT_ENABLED_NETWORKS'
>

/** Who is signed in, shown to the page at `origin` once the person agreed, and on which network. */
export const answerAccount = (stage: Stage, account: Account, origin: string): Answers => ({
  APP_GET_USER: ({ chainId }, { signal }) =>
    stage.during(async () => {
      await account.begin()
      const chain = account.chainOf(chainId)
      if (!(await account.hasConsent())) {
        const { showConsent } = await import('../flows/showConsent.ts')
        await showConsent(stage, { origin, signal })
        await account.consent()
      }
      const addresses = await account.wallet(signal)
      const { email } = await account.signedIn()
      account.use(chain)
      const address = addresses[chain.namespace]
      return {
        email,
        address,
        chainId: hostChainId(chain),
        accounts: [{ address, type: 'eoa' }],
        smartAccountDeployed: false,
        preferredAccountType: 'eoa',
      }
    }),
  APP_GET_CHAIN_ID: async () => ({ chainId: hostChainId(account.chainOf(undefined)) }),
  APP_SWITCH_NETWORK: async ({ chainId }) => {
    const chain = account.chainOf(chainId)
    account.use(chain)
    return { chainId: hostChainId(chain) }
  },
  APP_SET_PREFERRED_ACCOUNT: async (_, { signal }) => {
    const addresses = await account.known(signal)
    if (!addresses) throw new LatchkeyError('UNAUTHORIZED')
    return { type: 'eoa', address: addresses[account.chainOf(undefined).namespace] }
  },
  APP_GET_SMART_ACCOUNT_ENABLED_NETWORKS: () => ({ smartAccountEnabledNetworks: [] }),
})
