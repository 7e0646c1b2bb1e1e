export default function Page() {
  return <p>Served by Next.js</p>
}
