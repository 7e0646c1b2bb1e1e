import { parseSiwxMessage } from '@latchkey/wire/siwx'
import { expect, test } from 'vitest'
import { account, createTestRequest, prepareRequest } from '../../../test/testRequest.ts'

const signature = `0x${'ab'.repeat(65)}`
const nonce = 'abcdef0123456789'

const prepare = (params: unknown) => {
  const signed: unknown[] = []
  const request = createTestRequest({
    method: 'wallet_connect',
    params: [params],
    read: () => Promise.reject(new Error('No node is asked')),
    keys: {
      do: async (_work, given) => {
        signed.push(given)
        return { signature } as never
      },
    },
    now: () => Date.parse('2026-01-31T12:00:00Z'),
  })
  return { signed, prepared: prepareRequest(request) }
}
const signIn = (fields: object = {}) => ({
  version: '1',
  capabilities: { signInWithEthereum: { nonce, chainId: '0x1', ...fields } },
})
type ConnectResult = {
  accounts: {
    address: string
    capabilities: { signInWithEthereum?: { message: string; signature: string } }
  }[]
}

test('default: the user signs in at the verified origin, and the page gets message and signature', async () => {
  const { signed, prepared } = prepare(signIn())
  const { view, approve } = await prepared
  expect(view.title).toBe('Sign in?')
  expect(view.blocked).toBeUndefined()
  expect(signed).toEqual([])
  const { accounts } = (await approve()) as ConnectResult
  const { message = '', ...rest } = accounts[0]?.capabilities.signInWithEthereum ?? {}
  expect(rest).toEqual({ signature })
  expect(accounts[0]?.address.toLowerCase()).toBe(account)
  expect(view.rows).toMatchObject([{ text: message }])
  expect(parseSiwxMessage(message)).toMatchObject({
    message: { domain: 'app.example', uri: 'https://app.example', nonce, chainId: 'eip155:1' },
  })
  expect(signed).toEqual([{ message: `0x${Buffer.from(message).toString('hex')}` }])
})

test('default: without a sign-in the answer is the account', async () => {
  const { signed, prepared } = prepare({ version: '1' })
  const { view, approve } = await prepared
  expect(view.title).toBe('Connect to this site?')
  const { accounts } = (await approve()) as ConnectResult
  expect(accounts.map(({ address }) => address.toLowerCase())).toEqual([account])
  expect(accounts[0]?.capabilities).toEqual({})
  expect(signed).toEqual([])
})

test('security: a sign-in for another site cannot be approved', async () => {
  const { view } = await prepare(signIn({ domain: 'evil.example' })).prepared
  expect(view.blocked).toContain('evil.example')
})

test('error: a field that is not valid, and a capability that is not there', async () => {
  await expect(prepare(signIn({ nonce: 'x' })).prepared).rejects.toMatchObject({
    code: 'INVALID_PARAMS',
  })
  const capabilities = { teleport: {} }
  await expect(prepare({ version: '1', capabilities }).prepared).rejects.toMatchObject({
    code: 'CAPABILITY_UNSUPPORTED',
  })
})
