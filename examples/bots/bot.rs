// Play a seat of any game to the end of its match, without a crate:
// rustc -o bot examples/bots/bot.rs && ./bot URL EPISODE SEAT TOKEN
// It takes every default, and the first option where there is none. It speaks plain HTTP, to a server of your own.

use std::io::{Read, Write};
use std::{env, net::TcpStream, thread::sleep, time::Duration};

/// Send a request to the seat's address and return the status and the body of the answer.
fn send(args: &[String], method: &str, path: &str, body: &str) -> std::io::Result<(u16, String)> {
    let host = args[1].trim_start_matches("http://").trim_end_matches('/');
    let address = if host.contains(':') { host.to_string() } else { format!("{host}:80") };
    let mut stream = TcpStream::connect(address)?;
    stream.set_read_timeout(Some(Duration::from_secs(90)))?;
    write!(
        stream,
        "{method} /api/episodes/{}/seats/{}{path} HTTP/1.0\r\nHost: {host}\r\nAuthorization: Bearer {}\r\n\
         Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
        args[2], args[3], args[4], body.len()
    )?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer)?;
    let (head, content) = answer.split_once("\r\n\r\n").unwrap_or_default();
    let status = head.split(' ').nth(1).and_then(|word| word.parse().ok());
    // An answer that broke off is none.
    let whole = content.trim_end().ends_with('}');
    Ok((status.filter(|_| whole).unwrap_or(599), content.to_string()))
}

/// Return the body of an answer; ask again while there is none, which is safe with a number.
fn call(args: &[String], method: &str, path: &str, body: &str) -> String {
    loop {
        match send(args, method, path, body) {
            Ok((status, content)) if status < 500 => return content,
            _ => sleep(Duration::from_secs(1)),
        }
    }
}

/// Return what stands after the first `before` in `text`, up to `after`.
fn between<'a>(text: &'a str, before: &str, after: &str) -> &'a str {
    let rest = text.split_once(before).map_or("", |(_, rest)| rest);
    rest.split_once(after).map_or(rest, |(value, _)| value)
}

/// Return the action that the defaults make; it is the last field of the choices.
fn action(args: &[String]) -> String {
    let mut chosen = String::new();
    loop {
        let choices = call(args, "POST", "/choices", &format!("{{\"chosen\": {{{chosen}}}}}"));
        let made = choices.rsplit_once(",\"action\":").map_or("", |(_, made)| made);
        if !made.starts_with("null") {
            return made.strip_suffix('}').unwrap_or(made).to_string();
        }
        let open = choices.rsplit_once("\"default\":null").map_or("", |(open, _)| open);
        let slot = open.rsplit_once("\"name\":").map_or("", |(_, slot)| slot);
        let comma = if chosen.is_empty() { "" } else { "," };
        chosen += &format!("{comma}\"{}\":\"{}\"", between(slot, "\"", "\""), between(slot, "\"word\":\"", "\""));
    }
}

fn main() {
    let args: Vec<String> = env::args().collect();
    loop {
        let view = call(&args, "GET", "?wait=30", "");
        let number = between(&view, "\"number\":", ",");
        match (between(&view, "\"asked\":", ","), between(&view, "\"field\":\"", "\"")) {
            ("\"choose\"", _) => {
                let body = format!("{{\"action\": {}, \"number\": {number}}}", action(&args));
                call(&args, "POST", "", &body);
            }
            ("\"negotiate\"", _) => {
                call(&args, "POST", "", &format!("{{\"messages\": [], \"number\": {number}}}"));
            }
            ("null", _) => {}
            // Two turns were missed, and a built-in player has the seat.
            (_, "seat") => println!("{}", call(&args, "POST", "/take", "")),
            _ => return println!("{}", between(&view, "\"detail\":\"", "\"")),
        }
    }
}
