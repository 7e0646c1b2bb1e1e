import {
  connect,
  type FeeSpeed,
  openModal,
  type Plan,
  searchWallets,
  setSendDraft,
  solanaDevnet,
} from '@latchkey/core/internal'
import { LatchkeyError } from '@latchkey/wire'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { ConnectButton, LatchkeyProvider } from '../../src/index.ts'
import '../../src/theme.css'
import { registerSolana } from '../fakes/fakeStandardWallet.ts'
import { testApp } from '../testApp.ts'
import { violations } from '../violations.ts'

const chainId = solanaDevnet.caipNetworkId
const mint = 'So11111111111111111111111111111111111111112'
const receiver = '9u9uNb5uVbYsYP4SKgeFYFMrMjXgLnP6WpTLQvu7ryey'
const sol = { assetId: `${chainId}/slip44:501`, decimals: 9, symbol: 'SOL' }
const token = { assetId: `${chainId}/token:${mint}`, decimals: 6, symbol: 'FEE' }
const asked = { ...token, value: 1_500_000n }
const transfer = { kind: 'transfer', to: receiver, amount: asked, isToContract: false } as const

const balances = [
  {
    name: 'Solana',
    symbol: 'SOL',
    chainId,
    quantity: { decimals: '9', numeric: '3' },
    iconUrl: '',
  },
  {
    name: 'Fee token',
    symbol: 'FEE',
    chainId,
    address: `${chainId}:${mint}`,
    quantity: { decimals: '6', numeric: '20' },
    iconUrl: '',
  },
]

/** The review of a Solana transfer whose plan has these parts. */
async function review(
  plan: Partial<Plan>,
  planFor: (speed?: FeeSpeed, smallCoins?: boolean) => Partial<Plan> = () => ({}),
  fee: string | null = '0.000005 SOL',
  name: 'Send' | 'SendPreview' = 'SendPreview',
) {
  const end = registerSolana('Only Solana')
  const app = testApp(
    { networks: [solanaDevnet] },
    { balances: () => ({ balances }), areas: () => ({ http: [chainId], ws: [] }) },
  )
  const { loadActions } = app
  const planTransfer = async ({
    account,
    speed,
    smallCoins,
  }: Pick<Plan, 'account'> & { speed?: FeeSpeed; smallCoins?: boolean }): Promise<Plan> => ({
    account,
    chainId,
    outflows: [asked],
    fee: { ...sol, value: 5_000n, payer: 'account' },
    steps: [transfer],
    execute: () => Promise.reject(new Error('Nothing is sent here')),
    ...plan,
    ...planFor(speed, smallCoins),
  })
  Object.assign(app, {
    loadActions: async (namespace: 'solana') => ({
      ...(await loadActions(namespace)),
      planTransfer,
      maxSend: async ({ smallCoins }: { smallCoins?: boolean }) => {
        if (smallCoins) return 17_000n
        throw new LatchkeyError('COINS_KEPT', { data: { amount: '0.000017', symbol: 'SOL' } })
      },
    }),
  })
  await render(
    <LatchkeyProvider app={app}>
      <ConnectButton />
    </LatchkeyProvider>,
  )
  await searchWallets(app)
  const { connectors } = app.store.getState()
  const connectorId = connectors.find(({ name }) => name === 'Only Solana')?.id ?? ''
  await connect(app, { connectorId })
  setSendDraft(app, { amount: '1.5', receiverAddress: receiver, token: `${chainId}:${mint}` })
  openModal(app, { view: { name } })
  if (fee !== null) await expect.poll(() => fact('Network fee, up to')).toBe(fee)
  return () => {
    end()
    app.destroy()
  }
}

const dialog = () => page.getByRole('dialog')
/** The value of this name in the review. */
const fact = (name: string) =>
  dialog()
    .getByRole('term')
    .elements()
    .find(({ textContent }) => textContent === name)?.nextElementSibling?.textContent

test('default: the rent of a new account, and what the receiver gets of a token with a fee', async () => {
  const end = await review({
    deposit: { ...sol, value: 2_039_280n },
    steps: [{ ...transfer, received: { ...token, value: 1_425_000n } }],
  })
  expect(fact('New account')).toBe('0.002040 SOL')
  await expect
    .element(dialog().getByText('Opening it costs this deposit once.', { exact: false }))
    .toBeVisible()
  expect(fact('Receiver gets')).toBe('1.425 FEE')
  await expect.element(dialog().getByText(receiver)).toBeVisible()
  expect(await violations()).toEqual([])
  end()
})

test('default: small coins that are missing are explained, and a checkbox spends them too', async () => {
  const end = await review(
    { mayHoldInscriptions: true },
    (_speed, smallCoins) => {
      if (smallCoins) return { smallCoins: { ...sol, value: 17_000n } }
      throw new LatchkeyError('COINS_KEPT', { data: { amount: '0.000017', symbol: 'SOL' } })
    },
    null,
  )
  const box = dialog().getByRole('checkbox', { name: /^Also use small coins: 0.000017 SOL/ })
  await expect.element(box).not.toBeChecked()
  await expect.element(dialog().getByRole('alert')).toHaveTextContent('in small coins')
  expect(await violations()).toEqual([])
  ;(box.element() as HTMLElement).focus()
  await userEvent.keyboard(' ')
  await expect.element(box).toBeChecked()
  await expect.element(dialog().getByRole('button', { name: 'Send' })).toBeVisible()
  await expect.element(dialog().getByText('may be spent', { exact: false })).toBeVisible()
  expect(await violations()).toEqual([])
  end()
})

test('default: Max explains that only small coins are there, and a button spends them too', async () => {
  const end = await review({}, undefined, null, 'Send')
  await dialog().getByRole('button', { name: /^Max/ }).click()
  const more = dialog().getByRole('button', {
    name: 'Use small coins too, which may hold inscriptions',
  })
  await expect.element(dialog().getByText('in small coins', { exact: false })).toBeVisible()
  expect(await violations()).toEqual([])
  ;(more.element() as HTMLElement).focus()
  await userEvent.keyboard('{Enter}')
  await expect.element(dialog().getByRole('textbox', { name: 'Amount' })).toHaveValue('0.017')
  await expect.element(more).not.toBeInTheDocument()
  end()
})

test('behavior: without rent and fee neither row is there', async () => {
  const end = await review({})
  expect(fact('New account')).toBeUndefined()
  expect(fact('Receiver gets')).toBeUndefined()
  end()
})

test('param: speed: fees that can be chosen, but none that cannot be paid', async () => {
  const asked: unknown[] = []
  const fee = (value: bigint) => ({ ...sol, value })
  const choices = [
    { speed: 'slow', fee: fee(1_000n), blocks: 12 },
    { speed: 'normal', fee: fee(5_000n), blocks: 3 },
    { speed: 'fast', fee: undefined, blocks: 1 },
  ] as const
  const end = await review({ mayHoldInscriptions: true }, (speed = 'normal') => {
    asked.push(speed)
    const chosen = choices.find((choice) => choice.speed === speed)?.fee ?? fee(0n)
    return { fee: { ...chosen, payer: 'account' }, feeChoice: { speed, choices } }
  })
  const radio = (name: RegExp) => dialog().getByRole('radio', { name })
  await expect.element(radio(/^Normal About 3 blocks/)).toBeChecked()
  await expect.element(radio(/^Fast About 1 block Too much/)).toBeDisabled()
  await expect
    .element(dialog().getByText('cannot tell which coins hold inscriptions', { exact: false }))
    .toBeVisible()
  expect(await violations()).toEqual([])
  await radio(/^Slow About 12 blocks/).click()
  await expect.poll(() => fact('Network fee, up to')).toBe('0.000001 SOL')
  await expect.element(radio(/^Slow/)).toBeChecked()
  expect(asked).toEqual(['normal', 'slow'])
  end()
})
