//! A tour of a server with redis-rs: tour PORT.

use redis::{Commands, Connection, RedisResult};

fn tour(connection: &mut Connection, url: &str) -> RedisResult<()> {
    redis::cmd("FLUSHDB").exec(connection)?;
    let () = connection.set_ex("rs:fruit", "apple", 100)?;
    assert_eq!(connection.get::<_, String>("rs:fruit")?, "apple");
    assert!(connection.ttl::<_, i64>("rs:fruit")? > 90);
    assert_eq!(connection.get::<_, Option<String>>("rs:none")?, None);
    let binary: Vec<u8> = (0..=255).collect();
    let () = connection.set(&binary, &binary)?;
    assert_eq!(connection.get::<_, Vec<u8>>(&binary)?, binary);
    assert_eq!(connection.incr::<_, _, i64>("rs:count", 41)?, 41);

    let mut pipeline = redis::pipe();
    for i in 0..1000 {
        pipeline.set(format!("rs:many:{i}"), i).ignore();
    }
    pipeline.exec(connection)?;
    let mut found = std::collections::HashSet::new();
    for key in connection.scan_match::<_, String>("rs:many:*")? {
        found.insert(key?);
    }
    assert_eq!(found.len(), 1000);

    let (one, two): (i64, i64) =
        redis::pipe().atomic().incr("rs:count", 1).incr("rs:count", 1).query(connection)?;
    assert_eq!((one, two), (42, 43));

    let mut listening = redis::Client::open(url)?.get_connection()?;
    let mut listener = listening.as_pubsub();
    listener.subscribe("rs:news")?;
    assert_eq!(connection.publish::<_, _, i64>("rs:news", "hello")?, 1);
    assert_eq!(listener.get_message()?.get_payload::<String>()?, "hello");

    let id: String = redis::cmd("XADD").arg("rs:stream").arg("*").arg("field").arg("value").query(connection)?;
    let () = connection.xgroup_create("rs:stream", "group", "0")?;
    let options = redis::streams::StreamReadOptions::default().group("group", "me");
    let read: redis::streams::StreamReadReply = connection.xread_options(&["rs:stream"], &[">"], &options)?;
    assert_eq!(read.keys[0].ids[0].id, id);
    assert_eq!(connection.xack::<_, _, _, i64>("rs:stream", "group", &[id])?, 1);

    let refused: RedisResult<i64> = connection.lpush("rs:list", "element");
    assert!(refused.unwrap_err().to_string().contains("unknown command"));
    Ok(())
}

fn main() {
    let port = std::env::args().nth(1).expect("a port");
    for protocol in ["", "?protocol=resp3"] {
        let url = format!("redis://127.0.0.1:{port}/{protocol}");
        let plain = format!("redis://127.0.0.1:{port}/");
        let client = redis::Client::open(url).expect("a client");
        let mut connection = client.get_connection().expect("a connection");
        tour(&mut connection, &plain).expect("the tour");
    }
    println!("tour ok");
}
