import { startFrame, ask, begin, settle, inside, logIn, typeCode } from '/work/main/apps/frame/test/startFrame.ts'
const t0=Date.now()
const f = await startFrame()
console.log('up', Date.now()-t0, f.frameUrl, f.hostUrl)
try {
  const c = await f.newContext()
  const logs=[]
  const page = await f.openHost(c)
  page.on('console', m=>console.log('console', m.type(), m.text().slice(0,300)))
  page.on('pageerror', e=>console.log('pageerror', e.message))
  await page.evaluate((a)=>window.embed(a), f.address)
  console.log(await ask(page,'APP_IS_CONNECTED'))
  console.log(await ask(page,'APP_GET_CHAIN_ID'))
  const email='a@b.example'
  await logIn(f,page,email)
  await page.screenshot({path:'/tmp/fr1.png'})
  console.log(await ask(page,'APP_GET_USER'))
  console.log(await page.evaluate(()=>window.host.events))
} catch(e){ console.log('ERR',e); for (const c of f.browser.contexts()) for (const p of c.pages()) { await p.screenshot({path:'/tmp/fr-err.png'}); console.log(p.url()); console.log(await p.evaluate(()=>JSON.stringify(window.host?.events))) } }
finally { await f.stop() }
