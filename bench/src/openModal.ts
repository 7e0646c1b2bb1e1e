import { announceWallets, launch } from './browser.ts'
import { buildPage, servePage } from './buildPage.ts'

const runs = 15

const median = (values: number[]) =>
  values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN

/** Time from the click's own time stamp to the first frame in which a wallet of the list can be hit, in ms. */
const clickToList = `new Promise((done) => {
  const button = [...document.querySelectorAll('button')].find((one) => /connect/i.test(one.textContent))
  button.addEventListener('click', (click) => {
    const look = () => {
      const item = [...document.querySelectorAll('dialog button')].find((one) => one.textContent.includes('First Wallet'))
      if (item) {
        const { x, y, width, height } = item.getBoundingClientRect()
        const hit = document.elementFromPoint(x + width / 2, y + height / 2)
        if (hit && item.contains(hit)) return done(performance.now() - click.timeStamp)
      }
      requestAnimationFrame(look)
    }
    look()
  }, { once: true, capture: true })
})`

const page = await buildPage('index')
const server = await servePage(page, 'index')
const browser = await launch()
const cold: number[] = []
const warm: number[] = []
for (let run = 0; run < runs; run++) {
  const context = await browser.newContext()
  await announceWallets(context)
  const tab = await context.newPage()
  await tab.goto(server.url)
  await tab.waitForLoadState('networkidle')
  for (const samples of [cold, warm]) {
    const waiting = tab.evaluate(clickToList) as Promise<number>
    // Let the listener stand before the click: evaluate is sent first, a round trip makes sure it ran.
    await tab.evaluate('1')
    await tab.getByRole('button', { name: /connect/i }).click()
    samples.push(await waiting)
    await tab.keyboard.press('Escape')
    await tab.getByRole('dialog').waitFor({ state: 'hidden' })
  }
  await context.close()
}
await browser.close()
await server.stop()
console.log(
  `Click to Connect view, median of ${runs}: cold ${median(cold).toFixed(0)} ms, warm ${median(warm).toFixed(0)} ms`,
)
