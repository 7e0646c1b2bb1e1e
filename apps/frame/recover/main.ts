import { isError } from '@latchkey/wire'
import { recoverOffline } from '../src/wallet/recovery/recoveryBundle.ts'

const of = <T extends HTMLElement>(id: string, type: { new (): T }): T => {
  const found = document.getElementById(id)
  if (!(found instanceof type)) throw new Error(`no ${id}`)
  return found
}

const form = of('form', HTMLFormElement)
const file = of('file', HTMLInputElement)
const bundle = of('bundle', HTMLTextAreaElement)
const kit = of('kit', HTMLInputElement)
const problem = of('problem', HTMLElement)
const result = of('result', HTMLElement)
const words = of('words', HTMLOListElement)

function hide(): void {
  result.hidden = true
  words.replaceChildren()
  of('eip155', HTMLElement).textContent = ''
  of('solana', HTMLElement).textContent = ''
}

async function show(): Promise<void> {
  hide()
  problem.textContent = ''
  const [chosen] = file.files ?? []
  const text = bundle.value.trim() || ((await chosen?.text()) ?? '')
  try {
    const recovered = await recoverOffline(text, { kind: 'kit', kit: kit.value })
    kit.value = ''
    words.replaceChildren(
      ...recovered.words.split(' ').map((word) => {
        const item = document.createElement('li')
        item.textContent = word
        return item
      }),
    )
    of('eip155', HTMLElement).textContent = recovered.addresses.eip155
    of('solana', HTMLElement).textContent = recovered.addresses.solana
    result.hidden = false
  } catch (error) {
    problem.textContent = isError(error) ? error.message : 'This browser cannot do it'
  }
}

form.addEventListener('submit', (event) => {
  event.preventDefault()
  show()
})
of('hide', HTMLButtonElement).addEventListener('click', hide)
addEventListener('pagehide', hide)
