import { bytesToHex } from 'viem'
import { expect, test } from 'vitest'
import type { PolkadotNetwork } from '../config.ts'
import { describeCall, describeTip } from './describeCall.ts'

const balancesPallet = 10
const network: PolkadotNetwork = {
  id: 'polkadot:91b171bb158e2d3848fa23a9f1c25182',
  name: 'Polkadot',
  nativeCurrency: { symbol: 'DOT', decimals: 10 },
  balancesPallet,
}

test('undo: of all calls of all pallets, only the two transfers of the network’s currency have no warning', () => {
  const receiver = [0, ...new Uint8Array(32).fill(7)]
  const known: string[] = []
  for (let pallet = 0; pallet < 256; pallet++)
    for (let call = 0; call < 256; call++) {
      const method = bytesToHex(Uint8Array.from([pallet, call, ...receiver, 4]))
      if (!describeCall(network, method).isUnknown) known.push(`${pallet}.${call}`)
    }
  expect(known).toEqual([`${balancesPallet}.0`, `${balancesPallet}.3`])
})

test('error: a transfer with bytes behind it, or to another kind of receiver, is not read as one', () => {
  const transfer = (...rest: number[]) =>
    bytesToHex(Uint8Array.from([balancesPallet, 3, 0, ...new Uint8Array(32).fill(7), ...rest]))
  expect(describeCall(network, transfer(4)).isUnknown).toBe(false)
  expect(describeCall(network, transfer(4, 0)).isUnknown).toBe(true)
  expect(describeCall(network, transfer()).isUnknown).toBe(true)
  const index = bytesToHex(
    Uint8Array.from([balancesPallet, 3, 1, ...new Uint8Array(32).fill(7), 4]),
  )
  expect(describeCall(network, index).isUnknown).toBe(true)
})

test('undo: a tip is shown in the network’s currency, with a warning from one whole unit', () => {
  const tipOf = (tip: bigint, assetId?: string) =>
    describeTip(network, { tip: `0x${tip.toString(16)}`, assetId })
  expect(tipOf(0n, '0x01').isHigh).toBe(false)
  expect(tipOf(10n ** 9n)).toEqual({ row: { label: 'Tip', value: '0.1 DOT' }, isHigh: false })
  expect(tipOf(5n * 10n ** 12n)).toEqual({ row: { label: 'Tip', value: '500 DOT' }, isHigh: true })
  expect(tipOf(1n, '0x01')).toMatchObject({
    row: { value: '1 smallest units of the asset' },
    isHigh: true,
  })
})
