// A tour of a server with node-redis: tour.mjs PORT.
import assert from 'node:assert/strict';
import { createClient } from 'redis';

for (const RESP of [2, 3]) {
  const client = createClient({ RESP, socket: { port: Number(process.argv[2]) } });
  await client.connect();
  await client.flushDb();

  assert.equal(await client.set('js:fruit', 'apple'), 'OK');
  assert.equal(await client.get('js:fruit'), 'apple');
  assert.equal(await client.incr('js:count'), 1);
  assert.deepEqual(await client.mGet(['js:fruit', 'js:none']), ['apple', null]);
  await client.expire('js:fruit', 100);
  assert.ok((await client.ttl('js:fruit')) > 90);

  const set = [];
  for (let i = 0; i < 1000; i++) set.push(client.set(`js:many:${i}`, String(i)));
  await Promise.all(set);
  const found = new Set();
  for await (const keys of client.scanIterator({ MATCH: 'js:many:*', COUNT: 100 })) {
    for (const key of [keys].flat()) found.add(key);
  }
  assert.equal(found.size, 1000);

  assert.deepEqual(await client.multi().set('js:a', '1').incr('js:a').get('js:a').exec(), ['OK', 2, '2']);

  const listener = client.duplicate();
  await listener.connect();
  const heard = new Promise((resolve) => { listener.subscribe('js:news', resolve).then(() => client.publish('js:news', 'hello')); });
  assert.equal(await heard, 'hello');
  await listener.close();

  const id = await client.xAdd('js:stream', '*', { field: 'value' });
  await client.xGroupCreate('js:stream', 'group', '0');
  const read = await client.xReadGroup('group', 'me', { key: 'js:stream', id: '>' });
  assert.ok(JSON.stringify(read).includes(id));
  assert.equal(await client.xAck('js:stream', 'group', id), 1);

  await assert.rejects(client.lPush('js:list', 'element'), /unknown command/);
  await client.close();
}
console.log('tour ok');
