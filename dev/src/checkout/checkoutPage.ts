import { formatUnits } from 'viem'
import { formatCents } from './priceOrder.ts'
import { cards, type Order, type OrderState } from './takePayment.ts'

/** The name of the checkout that buyers see. */
export const checkoutName = 'Latchkey Checkout'

/** The page's message for each state; in the first states the buyer can choose a card. */
const texts: Record<OrderState, string> = {
  open: '',
  declined: 'The card was declined. Nothing was paid. Choose another.',
  refused: 'The bank did not confirm the payment. Nothing was paid. Choose a card.',
  cancelled: 'You canceled. Nothing was paid. Close this window, or choose a card.',
  asked: 'Your bank asks: do you want to make this payment?',
  slow: 'The bank takes its time. You can close this window.',
  paid: 'Paid. You can close this window.',
}

/** The page of an order: the purchase and the buyer's options. */
export function checkoutPage({
  order,
  state,
  currency,
}: {
  order: Order
  state: OrderState
  currency: string
}): string {
  const { sold, price, to } = order
  const bought = `${formatUnits(price.units, sold.decimals)} ${sold.symbol}`
  const facts = [
    ['You pay', `${formatCents(price.total)} ${currency}`],
    ['Fee', `${formatCents(price.fee)} ${currency}`],
    ['You get', bought],
    ['To', to],
    ['Network', sold.chainId],
  ]
  const list = facts
    .map(([name = '', value = '']) => `<dt>${name}</dt><dd>${escapeHtml(value)}</dd>`)
    .join('\n')
  return frame(`<dl>${list}</dl>
${texts[state] && `<p role="status"><strong>${texts[state]}</strong></p>`}
${forms(state)}`)
}

/** The page for a URL that this checkout did not issue. */
export const refusalPage = () =>
  frame('<p role="alert">This checkout was opened with a changed or unknown address.</p>')

function forms(state: OrderState): string {
  if (state === 'paid' || state === 'slow') return ''
  if (state === 'asked')
    return `<form method="post"><button name="act" value="confirm">Confirm the payment</button>
<button name="act" value="refuse">Refuse</button></form>`
  const buttons = Object.entries(cards).map(
    ([id, { number, what }]) =>
      `<button name="act" value="${id}"><span>${number}</span><small>${what}</small></button>`,
  )
  const cancel = state === 'cancelled' ? '' : '<button name="act" value="cancel">Cancel</button>'
  return `<h2>Test cards</h2><form method="post">${buttons.join('\n')}</form>
<form method="post">${cancel}</form>`
}

const frame = (content: string) => `<!doctype html><html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width"><title>${checkoutName}</title><link rel="icon" href="data:,">
<link rel="stylesheet" href="/checkout.css"></head><body><main><h1>${checkoutName}</h1>
<p>This page on your machine simulates a provider that sells crypto. No money moves: the coins are from the local chains.</p>
${content}</main></body></html>`

const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)

export const checkoutStyles = `:root { color-scheme: dark light; font: 15px/1.5 Inter, system-ui, sans-serif }
main { max-width: 420px; margin: 0 auto; padding: 24px } h1 { font-size: 20px } h2 { font-size: 15px }
dl { display: grid; grid-template-columns: auto 1fr; gap: 4px 16px } dd { margin: 0; text-align: end; overflow-wrap: anywhere }
form { display: grid; gap: 8px; margin: 0 0 8px }
button { font: inherit; min-height: 44px; border-radius: 12px; border: 1px solid color-mix(in srgb, currentcolor 30%, transparent); padding: 8px 16px; background: transparent; color: inherit; display: grid }
small { opacity: 0.7 }
`
