import type { Page } from '@playwright/test'
import { encodeFunctionData, type Hex, numberToHex, parseAbi, parseEther } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { openDeveloperPage, section } from '../../developerPage.ts'
import {
  expect,
  frameOf,
  fund,
  holdToApprove,
  makeWallet,
  press,
  stack,
  test,
  typeCode,
} from '../../embedded.ts'
import { dollarsOf, nativeOf } from '../../holdings.ts'
import { readCode } from '../../mails.ts'

const sink = '0x00000000000000000000000000000000000c0df1'
const tokenAbi = parseAbi([
  'function transfer(address to, uint256 amount)',
  'function mint(address to, uint256 amount)',
])

/** Sends a request to the wallet from the page. */
async function ask(page: Page, method: string, params: object) {
  const form = section(page, 'Raw request')
  await form.getByLabel('Method').fill(method)
  await form.getByLabel('Parameters (JSON)').fill(JSON.stringify(params))
  await form.getByRole('button', { name: 'Request', exact: true }).click()
  return form
}

/** Sends a request to the server, like a backend with the session's key. */
async function serve(page: Page, method: string, params: object): Promise<never> {
  const response = await page.request.post(`${stack.urls.web}/v1/wallet?projectId=local`, {
    data: { jsonrpc: '2.0', id: 1, method, params },
  })
  const { result, error } = await response.json()
  if (error) throw new Error(error.message)
  return result as never
}

test('default: a site sends within the limits that a user has granted, until the user ends the session', async ({
  page,
}) => {
  test.slow()
  const { address, email } = await makeWallet(page)
  await fund(address)
  await openDeveloperPage(page)
  const frame = frameOf(page)
  const key = privateKeyToAccount(generatePrivateKey())
  const usd = stack.addresses['eip155:31337']?.usd as Hex
  const seconds = Math.floor(Date.now() / 1_000)
  const request = {
    chainId: '0x7a69',
    expiry: seconds + 3_600,
    signer: { type: 'keys', data: { keys: [{ type: 'secp256k1', publicKey: key.publicKey }] } },
    permissions: [
      {
        type: 'native-token-recurring-allowance',
        data: { allowance: numberToHex(parseEther('0.1')), start: seconds, period: 86_400 },
      },
      {
        type: 'erc20-recurring-allowance',
        data: { token: usd, allowance: '0x5f5e100', start: seconds, period: 86_400 },
      },
      {
        type: 'contract-call',
        data: {
          address: usd,
          abi: tokenAbi,
          functions: [
            {
              functionName: 'mint',
              args: [
                { operator: 'EQUAL', value: address },
                { operator: 'LESS_THAN', value: '1000' },
              ],
            },
          ],
        },
      },
    ],
    policies: [],
  }

  await ask(page, 'wallet_grantPermissions', [request])
  await expect(frame.getByText('Let this site act without asking you')).toBeVisible()
  await expect(frame.getByText('Up to 0.1 ETH each day')).toBeVisible()
  // The account has no code yet; the simulation uses its future code.
  await expect(frame.getByText('No other changes found')).toBeVisible()
  await expect(frame.getByText('Your account on this network')).toBeVisible()
  await press(frame.getByRole('button', { name: 'Reject' }))
  const form = section(page, 'Raw request')
  await expect(form.getByText('User rejected the request')).toBeVisible()

  await ask(page, 'wallet_grantPermissions', [request])
  await expect(frame.getByText('Let this site act without asking you')).toBeVisible()
  await holdToApprove(page, 'allow')
  // The call has no limit: without a passkey, a code confirms it. The first code was for the login.
  await expect(frame.getByText('Let others take assets without a limit')).toBeVisible()
  await typeCode(frame, await readCode(email, 1))
  await expect(form.locator('pre')).toContainText('"context"')
  const { context } = JSON.parse((await form.locator('pre').textContent()) ?? '') as {
    context: string
  }

  const send = (ether: string) => ({ to: sink, value: numberToHex(parseEther(ether)) })
  const call = (functionName: 'transfer' | 'mint', to: Hex, amount: bigint) => ({
    to: usd,
    data: encodeFunctionData({ abi: tokenAbi, functionName, args: [to, amount] }),
  })
  const prepare = async (...calls: object[]) => {
    const capabilities = { permissions: { context } }
    const [prepared] = (await serve(page, 'wallet_prepareCalls', [
      { from: address, chainId: '0x7a69', calls, capabilities },
    ])) as [{ preparedCalls: object; signatureRequest: { hash: Hex } }]
    return prepared
  }
  const { preparedCalls, signatureRequest } = await prepare(
    send('0.06'),
    call('transfer', sink, 60_000_000n),
    call('mint', address, 999n),
  )
  const signature = await key.sign({ hash: signatureRequest.hash })
  await serve(page, 'wallet_sendPreparedCalls', [{ preparedCalls, signature, context }])
  await expect.poll(() => nativeOf(sink)).toBe(parseEther('0.06'))
  expect(await dollarsOf(sink)).toBe(60_000_000n)
  expect(await dollarsOf(address)).toBe(190_000_999n)
  for (const one of [send('0.06'), call('transfer', sink, 60_000_000n)])
    await expect(prepare(one)).rejects.toThrow(/exceeded/)
  for (const one of [
    send('0.2'),
    call('transfer', sink, 100_000_001n),
    call('mint', address, 1_000n),
    call('mint', sink, 1n),
    { ...call('mint', address, 1n), value: '0x1' },
  ])
    await expect(prepare(one)).rejects.toThrow(/not permitted/)

  await page
    .getByRole('button', { name: /^Account 0x/ })
    .first()
    .click()
  const modal = page.getByRole('dialog')
  await modal.getByRole('button', { name: 'Smart sessions' }).click()
  await expect(modal.getByText('0.06 ETH of 0.1 ETH used in this period')).toBeVisible()
  await expect(modal.getByText('60 dUSD of 100 dUSD used in this period')).toBeVisible()
  await expect(modal.getByText('Calls mint(address,uint256) of')).toBeVisible()
  await expect(modal.getByText('Argument 2 (uint256) is less than 1000')).toBeVisible()
  await expect(modal.getByText('Active')).toBeVisible()
  await modal.getByRole('button', { name: /^Revoke the session/ }).click()
  await expect(frame.getByText('End this site’s permissions')).toBeVisible()
  await holdToApprove(page, 'end')
  await expect(modal.getByText('Revoked')).toBeVisible()
  await expect(prepare(send('0.01'))).rejects.toThrow(/revoked/)
})
