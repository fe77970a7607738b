// Writes and reads through go-redis while a node stops and comes back: cluster PORTS; ends at the end of its input.
package main

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"strings"
	"sync/atomic"
	"time"

	"github.com/redis/go-redis/v9"
)

const tries = 600

func patiently(command func() error) {
	for i := 0; i < tries; i++ {
		if command() == nil {
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
	fmt.Println("no answer")
	os.Exit(1)
}

func main() {
	var addresses []string
	for _, port := range strings.Split(os.Args[1], ",") {
		addresses = append(addresses, "127.0.0.1:"+port)
	}
	client := redis.NewClusterClient(&redis.ClusterOptions{
		Addrs: addresses, DialTimeout: time.Second, ReadTimeout: 2 * time.Second, MaxRedirects: 10,
	})
	var over atomic.Bool
	go func() {
		bufio.NewReader(os.Stdin).ReadString('\n')
		over.Store(true)
	}()
	ctx := context.Background()
	for last := 1; !over.Load(); last++ {
		for key := 0; key < 20; key++ {
			patiently(func() error { return client.Set(ctx, fmt.Sprintf("go:%d", key), last, 0).Err() })
		}
		for key := 0; key < 20; key++ {
			var found int
			patiently(func() error {
				var err error
				found, err = client.Get(ctx, fmt.Sprintf("go:%d", key)).Int()
				return err
			})
			if found != last {
				fmt.Printf("key %d: %d, and %d was acknowledged\n", key, found, last)
				os.Exit(1)
			}
		}
		fmt.Printf("round %d\n", last)
	}
	fmt.Println("ok")
}
