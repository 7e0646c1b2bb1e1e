import { LatchkeyError } from '@latchkey/wire'
import { expect, test } from 'vitest'
import type { ApprovalProps } from '../approval/ApprovalScreen.tsx'
import { createScreenQueue } from '../screens/screenQueue.ts'
import type { PreparedApproval } from './approvalRequest.ts'
import { reviewRequest } from './reviewRequest.ts'

const createView = (amount: bigint) => ({
  title: `Allow ${amount}?`,
  action: 'allow',
  groups: [],
  warnings: [],
  rows: [],
  place: [],
  editable: { amount: String(amount), max: '100', decimals: 0, symbol: 'USD' },
})

/** Like it, without a limit. */
const createUnlimited = (approve: () => Promise<unknown>): PreparedApproval => ({
  view: {
    ...createView(100n),
    warnings: [{ level: 'danger', text: 'no limit', isUnlimited: true }],
  },
  approve,
  edit: async (amount) => createAllowance(amount, async () => {}),
})

/** An allowance that gives its amount as the result; `edit` awaits `wait()` first. */
const createAllowance = (amount: bigint, wait: () => Promise<void>): PreparedApproval => ({
  view: createView(amount),
  approve: async () => amount,
  edit: async (other) => {
    await wait()
    return createAllowance(other, wait)
  },
})

async function open(
  wait: () => Promise<void> = async () => {},
  { prepared = createAllowance(100n, wait), confirm = async () => {} } = {},
) {
  const screenQueue = createScreenQueue()
  const call = () => Promise.reject(new Error('no server'))
  const outcome = reviewRequest(
    { screenQueue, session: { call } },
    {
      prepared,
      asker: { origin: 'https://app.example' },
      load: async () => () => null,
      confirm,
      signal: new AbortController().signal,
    },
  )
  outcome.catch(() => {})
  await new Promise((resolve) => {
    screenQueue.subscribe(() => resolve(undefined))
  })
  const props = screenQueue.current()?.props as ApprovalProps & { done(result: unknown): void }
  const edit = (amount: string) => props.edit?.(amount) ?? Promise.reject(new Error('no edit'))
  return { screenQueue, outcome, props, edit }
}

test('default: executes the request that was shown last, and the view names its page', async () => {
  const { props, edit, outcome } = await open()
  expect(await edit('7')).toMatchObject({ title: 'Allow 7?', origin: 'https://app.example' })
  props.done(await props.approve())
  expect(await outcome).toEqual({ result: 7n })
})

test('behavior: the height depends on whether assets are requested, not on what was found about them', async () => {
  const { view, ...others } = createAllowance(100n, async () => {})
  const warnings = [{ level: 'danger', text: 'new to you' }] as const
  const groups = [{ label: 'Others may take', rows: [{ label: 'Amount', value: '100 USD' }] }]
  const heightOf = async (change: Partial<typeof view>) => {
    const { screenQueue } = await open(undefined, {
      prepared: { ...others, view: { ...view, ...change } },
    })
    return screenQueue.current()?.height
  }
  expect(await heightOf({})).toBe(560)
  expect(await heightOf({ groups })).toBe(680)
  expect(await heightOf({ groups, warnings: [...warnings] })).toBe(680)
})

test('error: nothing is approved while another amount is read', async () => {
  let go = () => {}
  const { props, edit } = await open(
    () =>
      new Promise((resolve) => {
        go = resolve
      }),
  )
  const changing = edit('7')
  await expect(props.approve()).rejects.toMatchObject({ code: 'USER_REJECTED' })
  await expect(edit('8')).rejects.toMatchObject({ code: 'USER_REJECTED' })
  go()
  await changing
  expect(await props.approve()).toEqual({ result: 7n })
  // What is being signed stays what it is.
  await expect(edit('9')).rejects.toMatchObject({ code: 'USER_REJECTED' })
})

test('error: a failed edit keeps the previous request and shows a warning', async () => {
  const { props, edit } = await open(() => Promise.reject(new LatchkeyError('OFFLINE')))
  expect(await edit('7')).toMatchObject({
    title: 'Allow 100?',
    warnings: [{ level: 'danger', text: expect.stringContaining('could not be changed') }],
  })
  expect(await edit('seven')).toMatchObject({ title: 'Allow 100?' })
  expect(await props.approve()).toEqual({ result: 100n })
})

test('error: a closed review changes nothing', async () => {
  const { screenQueue, outcome, edit } = await open()
  screenQueue.close()
  await expect(outcome).rejects.toMatchObject({ code: 'USER_REJECTED' })
  await expect(edit('7')).rejects.toMatchObject({ code: 'USER_REJECTED' })
})

test('security: without a limit nothing is signed before it is confirmed, and after its screen has ended', async () => {
  const steps: string[] = []
  let go = () => {}
  const confirm = () =>
    new Promise<void>((resolve) => {
      steps.push('asked')
      go = resolve
    })
  const prepared = createUnlimited(async () => steps.push('signed'))
  const { props, outcome } = await open(undefined, { prepared, confirm })
  // The screen ends at once, because confirming opens another screen.
  props.done(await props.approve())
  await props.approve().catch(() => {})
  await expect.poll(() => steps).toEqual(['asked'])
  go()
  await outcome
  expect(steps).toEqual(['asked', 'signed'])
})

test('security: a user who cannot confirm signs nothing, however often they approve', async () => {
  const signed: string[] = []
  const confirm = () => Promise.reject(new LatchkeyError('STEP_UP_NEEDED'))
  const prepared = createUnlimited(async () => signed.push('signed'))
  const { props, outcome } = await open(undefined, { prepared, confirm })
  props.done(await props.approve())
  await expect(outcome).rejects.toMatchObject({ code: 'STEP_UP_NEEDED' })
  await props.approve().catch(() => {})
  expect(signed).toEqual([])
})

test('security: a request that changes before it is confirmed is reviewed again, and not signed', async () => {
  const signed: string[] = []
  const other = createUnlimited(async () => 'other')
  let isChanged = false
  const prepared = {
    ...createUnlimited(async () => signed.push('signed')),
    recheck: async () => (isChanged ? other : undefined),
  }
  const confirm = async () => {
    isChanged = true
  }
  const { props, outcome } = await open(undefined, { prepared, confirm })
  props.done(await props.approve())
  expect(await outcome).toEqual({ changed: other })
  expect(signed).toEqual([])
})

test('behavior: an amount that was lowered to a limit needs no confirmation', async () => {
  const confirm = () => Promise.reject(new LatchkeyError('STEP_UP_NEEDED'))
  const prepared = createUnlimited(async () => 'signed')
  const { props, edit, outcome } = await open(undefined, { prepared, confirm })
  await edit('7')
  props.done(await props.approve())
  expect(await outcome).toEqual({ result: 7n })
})
