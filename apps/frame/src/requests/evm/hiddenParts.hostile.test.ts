import { encodeFunctionData, type Hex, parseAbi } from 'viem'
import { expect, test } from 'vitest'
import {
  account,
  answerReads,
  type ChainAnswers,
  createTestRequest,
  dollars,
  prepareRequest,
} from '../../../test/testRequest.ts'
import type { ApprovalView } from '../../approval/approvalView.ts'

const token = '0x7777777777777777777777777777777777777777'
const vault = '0x8888888888888888888888888888888888888888'
const nobody = '0x0000000000000000000000000000000000000000'

type Sent = { to: Hex; data?: Hex; value?: Hex }

const viewOf = async (call: Sent, said: ChainAnswers = dollars) =>
  (
    await prepareRequest(
      createTestRequest({
        method: 'eth_sendTransaction',
        params: [{ from: account, ...call }],
        read: answerReads(said),
        keys: { do: () => Promise.reject(new Error('Nothing is signed here')) },
        known: [token, vault],
      }),
    )
  ).view

const dangers = ({ warnings }: Pick<ApprovalView, 'warnings'>) =>
  warnings.flatMap(({ level, text }) => (level === 'danger' ? text : [])).join('\n')
const textsOf = ({ groups }: Pick<ApprovalView, 'groups'>) => JSON.stringify(groups)

test('undo: bytes that come with an item are shown, because its receiver acts by them', async () => {
  const abi = parseAbi([
    'function safeTransferFrom(address from, address to, uint256 id, bytes data)',
    'function safeTransferFrom(address from, address to, uint256 id, uint256 amount, bytes data)',
    'function safeBatchTransferFrom(address from, address to, uint256[] ids, uint256[] amounts, bytes data)',
  ])
  const bytes = `0x${'66'.repeat(20)}`
  const calls = (more: Hex) => [
    encodeFunctionData({ abi, functionName: 'safeTransferFrom', args: [account, vault, 1n, more] }),
    encodeFunctionData({
      ...{ abi, functionName: 'safeTransferFrom' },
      args: [account, vault, 1n, 2n, more],
    }),
    encodeFunctionData({
      ...{ abi, functionName: 'safeBatchTransferFrom' },
      args: [account, vault, [1n], [2n], more],
    }),
  ]
  for (const data of calls('0x')) expect((await viewOf({ to: token, data })).warnings).toEqual([])
  for (const data of calls(bytes as Hex)) {
    const view = await viewOf({ to: token, data })
    expect(textsOf(view)).toContain(bytes)
    expect(textsOf(view)).toContain('Received')
    expect(view.warnings).toHaveLength(1)
  }
})

test('undo: a collection whose items are sent by transfer is not shown as smallest units of a token', async () => {
  const abi = parseAbi(['function transfer(address to, uint256 amount)'])
  const data = encodeFunctionData({ abi, functionName: 'transfer', args: [vault, 1_234n] })
  const kitties = { ...dollars, symbol: 'CK', decimals: undefined }
  const { title } = await viewOf({ to: token, data }, kitties)
  expect(title).toBe('Send item 1234, or 1234 smallest units, of CK?')
  expect((await viewOf({ to: token, data })).title).toBe('Send 0.001234 USD?')
  // A contract that tells neither name nor decimals can be a vault of the account, which sends
  // something else by this call.
  const said = 'has no readable name or decimals'
  expect(dangers(await viewOf({ to: token, data }, {}))).toContain(said)
  expect(dangers(await viewOf({ to: token, data }, kitties))).toBe('')
})

test('undo: sending to an address without a known key is a danger', async () => {
  const abi = parseAbi([
    'function transfer(address to, uint256 amount)',
    'function transferFrom(address from, address to, uint256 amount)',
  ])
  const burned = [nobody, '0x000000000000000000000000000000000000dEaD'] as const
  for (const to of burned)
    for (const call of [
      { to, value: '0x1' as const },
      {
        to: token as Hex,
        data: encodeFunctionData({ abi, functionName: 'transfer', args: [to, 5n] }),
      },
      {
        to: token as Hex,
        data: encodeFunctionData({ abi, functionName: 'transferFrom', args: [account, to, 5n] }),
      },
    ])
      expect(dangers(await viewOf(call))).toContain('is lost')
})

test('undo: a deposit without a payment is not harmless, also of a contract that was used before', async () => {
  const data = '0xd0e30db0'
  expect((await viewOf({ to: vault, data })).warnings).not.toEqual([])
  expect(textsOf(await viewOf({ to: vault, data, value: '0x5' }))).toContain('Leaves your wallet')
})

test('undo: an item of a token that also has units (ERC-404) is not shown as a negligible amount', async () => {
  const abi = parseAbi([
    'function approve(address spender, uint256 value)',
    'function transferFrom(address from, address to, uint256 value)',
  ])
  const both = { ...dollars, decimals: 18n }
  const approve = (value: bigint) =>
    encodeFunctionData({ abi, functionName: 'approve', args: [vault, value] })
  const item = await viewOf({ to: token, data: approve(7n) }, both)
  expect(item.title).toContain('item 7, or 7 smallest units')
  expect(dangers(item)).toContain('item 7')
  const move = encodeFunctionData({
    ...{ abi, functionName: 'transferFrom' },
    args: [account, vault, 7n],
  })
  expect((await viewOf({ to: token, data: move }, both)).title).toContain('item 7')
  const units = await viewOf({ to: token, data: approve(10n ** 15n) }, both)
  expect(units.title).toContain('0.001')
})

test('undo: a zero transfer by signature (Permit2) revokes nothing, and a witness counts as unread', async () => {
  const fields = (list: string) =>
    list.split(',').map((pair) => {
      const [type = '', name = ''] = pair.split(' ')
      return { name, type }
    })
  const ask = async (amounts: readonly bigint[], more: '' | ',Withdrawal witness') => {
    const isBatch = amounts.length > 1
    const name = `Permit${isBatch ? 'Batch' : ''}${more && 'Witness'}TransferFrom`
    const permitted = amounts.map((amount) => ({ token, amount: String(amount) }))
    const data = {
      types: {
        EIP712Domain: fields('string name,uint256 chainId,address verifyingContract'),
        [name]: fields(
          `TokenPermissions${isBatch ? '[]' : ''} permitted,address spender,uint256 nonce,uint256 deadline${more}`,
        ),
        TokenPermissions: fields('address token,uint256 amount'),
        ...(more && { Withdrawal: fields('address to') }),
      },
      primaryType: name,
      domain: { name: 'Permit2', chainId: 1, verifyingContract: vault },
      message: {
        ...{ permitted: isBatch ? permitted : permitted[0], spender: vault, nonce: '0' },
        ...{ deadline: '2000000000', ...(more && { witness: { to: token } }) },
      },
    }
    const request = createTestRequest({
      ...{ method: 'eth_signTypedData_v4', params: [account, data], read: answerReads(dollars) },
      keys: { do: () => Promise.reject(new Error('Nothing is signed here')) },
    })
    return (await prepareRequest(request)).view
  }
  for (const more of ['', ',Withdrawal witness'] as const)
    for (const amounts of [[0n], [0n, 0n]]) {
      const view = await ask(amounts, more)
      expect(view.title).toBe('Sign this data?')
      expect(dangers(view)).toContain('could take anything that you own')
    }
  const paid = ',Withdrawal witness' as const
  for (const amounts of [[5n], [5n, 0n]])
    expect(dangers(await ask(amounts, paid))).toContain('cannot read that data')
  expect(dangers(await ask([5n], ''))).not.toContain('could not be read')
})
