import {
  type App,
  connect,
  type Environment,
  latchkeyOne,
  latchkeyTwo,
  openModal,
  setBuyDraft,
  setSendDraft,
  setSwapDraft,
  solana,
  type ThemeMode,
} from '@latchkey/core/internal'
import { ConnectButton, LatchkeyProvider, type Messages, NetworkButton } from '../../src/index.ts'
import '../../src/theme.css'
import { createFakePairing } from '../fakes/fakePairing.ts'
import { announce, bob, createFakeWallet, testApp } from '../testApp.ts'
import type { Filling } from './fillings.ts'
import { createSampleServer } from './sampleServer.ts'
import type { Sample } from './samples.ts'
import { gold } from './sampleTrades.ts'

/** The place of a secure frame that never loads. */
const framePlace: NonNullable<Environment['framePlace']> = () => ({
  here: window,
  dialog: undefined,
  header: undefined,
  load: () => ({
    there: { closed: false, postMessage: () => {} },
    loaded: new Promise(() => {}),
  }),
  show: () => {},
  raise: () => {},
  hide: () => {},
  remove: () => {},
})

/** A batch of calls that has been executed. */
const batch = {
  ...{ status: 200, atomic: true, chainId: '0x7a69' },
  receipts: [{ transactionHash: `0x${'ab'.repeat(32)}`, status: '0x1' }],
}

/**
 * An app with an account, whose modal is open on the view of a sample. `silence` removes its wallet
 * from the page. `answers` replace the sample server's.
 */
export async function openSample(
  { view, config, prepare }: Sample,
  {
    filling,
    themeMode = 'dark',
    answers,
  }: { filling: Filling; themeMode?: ThemeMode; answers?: Parameters<typeof testApp>[1] },
): Promise<{ app: App; silence: () => void }> {
  const wallet = createFakeWallet()
  wallet.answers.wallet_getCallsStatus = () => batch
  const silence = announce([{ name: filling.wallet, rdns: 'test.fieldwork', wallet }])
  const app = testApp(
    { networks: [latchkeyOne, latchkeyTwo, solana], modal: { themeMode }, ...config },
    { ...createSampleServer(filling), ...answers },
    { pairing: createFakePairing({ firstUri: `wc:${'a'.repeat(64)}@2` }), framePlace },
  )
  prepare?.(app)
  await connect(app, { connectorId: 'test.fieldwork' })
  const { word, amount, hasProblems } = filling
  setBuyDraft(app, { amount: '100' })
  setSendDraft(app, {
    amount,
    receiverAddress: bob,
    // The review looks up the name again, which now belongs to another user.
    ...(hasProblems && view.name === 'SendPreview' && { receiverProfileName: 'bob.eth' }),
  })
  setSwapDraft(app, {
    from: { symbol: 'ETH', decimals: 18, name: 'Ether', iconUrl: '' },
    to: { address: gold, symbol: 'GOLD', decimals: 6, name: word, iconUrl: '' },
    amount,
  })
  openModal(app, { view })
  return { app, silence }
}

/** The page behind the modal of a sample. */
export const SamplePage = ({ app, messages }: { app: App; messages?: Messages | undefined }) => (
  <LatchkeyProvider app={app} {...(messages && { messages })}>
    <div className="bar">
      <NetworkButton />
      <ConnectButton />
    </div>
  </LatchkeyProvider>
)
