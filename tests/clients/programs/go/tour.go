// A tour of a server with go-redis: tour PORT.
package main

import (
	"context"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"
)

func check(what string, found, expected any) {
	if fmt.Sprint(found) != fmt.Sprint(expected) {
		fmt.Printf("%s: %v, expected %v\n", what, found, expected)
		os.Exit(1)
	}
}

func main() {
	for _, protocol := range []int{2, 3} {
		tour(redis.NewClient(&redis.Options{Addr: "127.0.0.1:" + os.Args[1], Protocol: protocol}))
	}
	fmt.Println("tour ok")
}

func tour(client *redis.Client) {
	ctx := context.Background()
	check("flushdb", client.FlushDB(ctx).Err(), nil)
	check("set", client.Set(ctx, "go:fruit", "apple", 100*time.Second).Val(), "OK")
	check("get", client.Get(ctx, "go:fruit").Val(), "apple")
	check("ttl", client.TTL(ctx, "go:fruit").Val() > 90*time.Second, true)
	check("nil", client.Get(ctx, "go:none").Err(), redis.Nil)
	check("incr", client.IncrBy(ctx, "go:count", 41).Val(), 41)

	commands, err := client.Pipelined(ctx, func(pipe redis.Pipeliner) error {
		for i := 0; i < 1000; i++ {
			pipe.Set(ctx, fmt.Sprintf("go:many:%d", i), i, 0)
		}
		return nil
	})
	check("pipeline", err, nil)
	check("pipeline", len(commands), 1000)
	found := map[string]bool{}
	for keys := client.Scan(ctx, 0, "go:many:*", 100).Iterator(); keys.Next(ctx); {
		found[keys.Val()] = true
	}
	check("scan", len(found), 1000)

	client.Set(ctx, "go:watched", 1, 0)
	err = client.Watch(ctx, func(tx *redis.Tx) error {
		client.Set(ctx, "go:watched", 2, 0)
		_, err := tx.TxPipelined(ctx, func(pipe redis.Pipeliner) error {
			pipe.Set(ctx, "go:watched", 3, 0)
			return nil
		})
		return err
	}, "go:watched")
	check("watch", err, redis.TxFailedErr)

	listener := client.Subscribe(ctx, "go:news")
	_, err = listener.Receive(ctx)
	check("subscribe", err, nil)
	check("publish", client.Publish(ctx, "go:news", "hello").Val(), 1)
	message, err := listener.ReceiveMessage(ctx)
	check("message", err, nil)
	check("message", message.Payload, "hello")
	listener.Close()

	id := client.XAdd(ctx, &redis.XAddArgs{Stream: "go:stream", Values: []string{"field", "value"}}).Val()
	check("xgroup", client.XGroupCreate(ctx, "go:stream", "group", "0").Err(), nil)
	read, err := client.XReadGroup(ctx, &redis.XReadGroupArgs{Group: "group", Consumer: "me", Streams: []string{"go:stream", ">"}}).Result()
	check("xreadgroup", err, nil)
	check("xreadgroup", read[0].Messages[0].ID, id)
	check("xack", client.XAck(ctx, "go:stream", "group", id).Val(), 1)

	err = client.LPush(ctx, "go:list", "element").Err()
	check("error", err != nil && strings.HasPrefix(err.Error(), "ERR unknown command"), true)
	client.Close()
}
