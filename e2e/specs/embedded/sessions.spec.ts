import type { Page } from '@playwright/test'
import { type Hex, numberToHex, parseEther } from 'viem'
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
} from '../../embedded.ts'
import { nativeOf } from '../../holdings.ts'

const sink = '0x00000000000000000000000000000000000c0df1'

/** Sends a request to the wallet as a page does. */
async function ask(page: Page, method: string, params: object) {
  const form = section(page, 'Raw request')
  await form.getByLabel('Method').fill(method)
  await form.getByLabel('Parameters (JSON)').fill(JSON.stringify(params))
  await form.getByRole('button', { name: 'Request', exact: true }).click()
  return form
}

/** Asks the server what a backend with the session's key asks. */
async function serve(page: Page, method: string, params: object): Promise<never> {
  const response = await page.request.post(`${stack.urls.web}/v1/wallet?projectId=local`, {
    data: { jsonrpc: '2.0', id: 1, method, params },
  })
  const { result, error } = await response.json()
  if (error) throw new Error(error.message)
  return result as never
}

test('default: a site is let send within a limit, uses it, goes beyond it, and the owner ends it', async ({
  page,
}) => {
  test.slow()
  const { address } = await makeWallet(page)
  await fund(address)
  await openDeveloperPage(page)
  const frame = frameOf(page)
  const key = privateKeyToAccount(generatePrivateKey())
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
    ],
    policies: [],
  }

  await ask(page, 'wallet_grantPermissions', [request])
  await expect(frame.getByText('Let this site act without asking you')).toBeVisible()
  await expect(frame.getByText('Up to 0.1 ETH each day')).toBeVisible()
  await expect(frame.getByText('Your account on this network')).toBeVisible()
  await press(frame.getByRole('button', { name: 'Reject' }))
  const form = section(page, 'Raw request')
  await expect(form.getByText('User rejected the request')).toBeVisible()

  await ask(page, 'wallet_grantPermissions', [request])
  await expect(frame.getByText('Let this site act without asking you')).toBeVisible()
  await holdToApprove(page, 'allow')
  await expect(form.locator('pre')).toContainText('"context"', { timeout: 30_000 })
  const { context } = JSON.parse((await form.locator('pre').textContent()) ?? '') as {
    context: string
  }

  const prepare = async (ether: string) => {
    const calls = [{ to: sink, value: numberToHex(parseEther(ether)) }]
    const capabilities = { permissions: { context } }
    const [prepared] = (await serve(page, 'wallet_prepareCalls', [
      { from: address, chainId: '0x7a69', calls, capabilities },
    ])) as [{ preparedCalls: object; signatureRequest: { hash: Hex } }]
    return prepared
  }
  const { preparedCalls, signatureRequest } = await prepare('0.06')
  const signature = await key.sign({ hash: signatureRequest.hash })
  await serve(page, 'wallet_sendPreparedCalls', [{ preparedCalls, signature, context }])
  await expect.poll(() => nativeOf(sink)).toBe(parseEther('0.06'))
  await expect(prepare('0.06')).rejects.toThrow(/exceeded/)
  await expect(prepare('0.2')).rejects.toThrow(/not permitted/)

  await page
    .getByRole('button', { name: /^Account 0x/ })
    .first()
    .click()
  const modal = page.getByRole('dialog')
  await modal.getByRole('button', { name: 'Smart sessions' }).click()
  await expect(modal.getByText('0.06 ETH of 0.1 ETH used in this period')).toBeVisible()
  await expect(modal.getByText('Active')).toBeVisible()
  await modal.getByRole('button', { name: /^Revoke the session/ }).click()
  await expect(frame.getByText('End what this site may do')).toBeVisible()
  await holdToApprove(page, 'end')
  await expect(modal.getByText('Revoked')).toBeVisible({ timeout: 30_000 })
  await expect(prepare('0.01')).rejects.toThrow(/revoked/)
})
